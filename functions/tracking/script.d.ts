// Made by `npm run generate` of web/gr.ts. Not to be edited.
export const SCRIPT: string;
