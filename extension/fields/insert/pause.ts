/** Between two looks at a field. */
export const LOOK_EVERY_MS = 20;

export const pause = (ms: number): Promise<void> => new Promise((resume) => setTimeout(resume, ms));
