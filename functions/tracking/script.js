export const SCRIPT = "";
