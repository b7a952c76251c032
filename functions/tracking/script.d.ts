export const SCRIPT: string;
