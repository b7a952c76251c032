/** CloudFront in front of the API: the way in for callers, if the deployment has one (docs/deploy.md, The edge). */
export interface Edge {
  /** Base URL of the API for its callers, without a trailing slash. */
  readonly baseUrl: string;
  /**
   * Returns whether a value of the header `x-origin-verify` comes from CloudFront. Throws `Unavailable` if the secret
   * cannot be read.
   */
  readonly hasSent: (value: string | undefined) => Promise<boolean>;
}
