import * as COMMON from '../words/common.ts';

/** A request that failed. Its message is a sentence to show, in the words of the page. */
export class ApiError extends Error {
  /**
   * 0 if no response arrived: the browser is offline, or the service does not respond. Of a success whose body is not the
   * service's, the status is 200 to 299. Below 0, nothing was requested.
   */
  readonly status: number;
  readonly code: string | undefined;
  /** The same with the names that fields have in the API. */
  readonly sentence: string;

  constructor(message: string, status: number, code?: string, sentence = message) {
    super(message);
    this.status = status;
    this.code = code;
    this.sentence = sentence;
  }

  /** True if the service refused the request, and would refuse it again. */
  get isRefusal(): boolean {
    return this.status >= 400 && this.status < 500;
  }

  /** True if the service may have carried out the request: its own answer is not known. */
  get isUnanswered(): boolean {
    return this.status >= 0 && !this.isRefusal;
  }
}

/** Any error as an `ApiError`. An error of the page itself is logged: its message is not for people. */
export function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  // A session that starts afresh ends the requests of the last one.
  if (!(error instanceof DOMException && error.name === 'AbortError')) console.error(error);
  return new ApiError(COMMON.ownFault, -1);
}
