import { openapiFile } from './openapi.ts';
import { scriptFiles } from './script.ts';
import { validatorFiles } from './validators.ts';

/** A file that is made of the sources and kept beside them. */
export interface GeneratedFile {
  /** From the top of the project. */
  readonly path: string;
  readonly text: string;
}

/** Every generated file, as its sources say it must be. */
export async function generatedFiles(): Promise<GeneratedFile[]> {
  return [...(await validatorFiles()), ...(await scriptFiles()), openapiFile()];
}
