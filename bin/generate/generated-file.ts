/** A generated file, which is committed. */
export interface GeneratedFile {
  /** Relative to the root of the project. */
  readonly path: string;
  readonly text: string;
}
