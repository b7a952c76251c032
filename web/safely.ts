/** Logs errors to the console, including errors of the page's callbacks: nothing may be thrown into the page. */
export function safely(work: () => void): void {
  try {
    work();
  } catch (error) {
    console.error(error);
  }
}
