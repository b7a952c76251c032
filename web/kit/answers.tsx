interface Answer {
  readonly key: string;
  readonly label: string;
  readonly answer: string;
}

/** What somebody answered, as text: an address is no link. */
export function Answers({ answers }: { readonly answers: readonly Answer[] }) {
  return (
    <dl class="answers">
      {answers.map(({ key, label, answer }) => (
        <div key={key}>
          <dt>
            <bdi>{label}</bdi>
          </dt>
          <dd>
            <bdi>{answer}</bdi>
          </dd>
        </div>
      ))}
    </dl>
  );
}

interface Applicant {
  readonly first_name: string | null;
  readonly last_name: string | null;
}

/** The name of an applicant; `''` without one. */
export const applicantName = ({ first_name, last_name }: Applicant): string =>
  [first_name, last_name].filter(Boolean).join(' ');
