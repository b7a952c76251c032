import { transformSync } from 'esbuild';

/** A transform for jest: the oldest Node cannot strip types itself. */
export default {
  process: (source, sourcefile) => ({ code: transformSync(source, { loader: 'ts', sourcefile }).code }),
};
