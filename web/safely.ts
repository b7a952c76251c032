/** Runs what must not throw into the page, whoever's code it is. What was thrown is shown in the console. */
export function safely(work: () => void): void {
  try {
    work();
  } catch (error) {
    console.error(error);
  }
}
