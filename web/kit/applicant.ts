interface Applicant {
  readonly first_name: string | null;
  readonly last_name: string | null;
}

/** The name of an applicant; `''` without one. */
export const applicantName = ({ first_name, last_name }: Applicant): string =>
  [first_name, last_name].filter(Boolean).join(' ');
