import { ServiceError } from '../../kernel/errors.ts';

/** The code of a link is malformed, unknown, used or expired. Nothing was written. */
export class InvalidLink extends ServiceError {
  constructor() {
    super('invalid_link', 'The link was used or has expired. Ask for a new one.');
  }
}

/** The token does not come from a sign-in. Nothing was written. */
export class SignInRequired extends ServiceError {
  constructor() {
    super('sign_in_required', 'This operation requires a token from a sign-in. Sign in on /account.');
  }
}

/** The sign-in is older than a change of the payout account allows. Nothing was written. */
export class SignInTooOld extends ServiceError {
  constructor() {
    super('sign_in_too_old', 'The sign-in is older than 15 minutes. Sign in again to change the payout account.');
  }
}

/** The program has no member with this id. */
export class MemberNotFound extends ServiceError {
  constructor() {
    super('member_not_found', 'Member not found');
  }
}

/** A member with this email has another name or other scopes. Nothing was written. */
export class MemberExists extends ServiceError {
  constructor() {
    super('member_exists', 'A member with this email already exists. Change that member instead.');
  }
}

/** The program has as many members as it may have. Nothing was written. */
export class TooManyMembers extends ServiceError {
  constructor() {
    super('too_many_members', 'The program has 100 members. Remove one of them first.');
  }
}

/** No member would have the scope `admin`. Nothing was written. */
export class LastAdmin extends ServiceError {
  constructor() {
    super('last_admin', 'One member must have the scope admin. Give it to another member first.');
  }
}

/** The program takes no applications. Nothing was written. */
export class ApplicationsClosed extends ServiceError {
  constructor() {
    super('applications_closed', 'The program takes no applications at present.');
  }
}

/** The program has no confirmed application with this id. */
export class ApplicationNotFound extends ServiceError {
  constructor() {
    super('application_not_found', 'Application not found, not confirmed yet, or expired');
  }
}

/** Somebody else decided first. Nothing was written. */
export class ApplicationDecided extends ServiceError {
  constructor() {
    super('application_decided', 'The application was approved or rejected before. Reload it.');
  }
}

/** More people apply than a program's emails can confirm in an hour. Nothing was written. */
export class TooManyApplications extends ServiceError {
  constructor() {
    super('too_many_applications', 'More people apply than the program expects. Try again in an hour.');
  }
}
