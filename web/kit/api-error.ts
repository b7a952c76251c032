/** A request that failed. Its message is a sentence to show. */
export class ApiError extends Error {
  /** 0 if no response arrived: the browser is offline, or the service does not respond. */
  readonly status: number;
  /** `x-error-code` of the response. */
  readonly code: string | undefined;

  constructor(message: string, status: number, code?: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}
