/** A file that is made of the sources and kept beside them. */
export interface GeneratedFile {
  /** From the top of the project. */
  readonly path: string;
  readonly text: string;
}
