/** Bundles the script of a page and what it imports into one file for the browser. `entry` is its path. */
export async function bundle(entry: string): Promise<string> {
  // Loaded on first use: the start-up does not wait for it.
  const { build, stop } = await import('esbuild');
  const { outputFiles } = await build({
    entryPoints: [entry],
    bundle: true,
    format: 'iife',
    target: 'es2022',
    charset: 'utf8',
    write: false,
  });
  // esbuild keeps a process of its own otherwise.
  await stop();
  return outputFiles.map((file) => file.text).join('');
}
