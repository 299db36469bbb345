/** How long the browser may take to read what it saves, from the click on. */
export const SAVING_MS = 60_000;

/** Saves a file among the browser's downloads. */
export function download(fileName: string, file: Blob): void {
  const url = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = url;
  link.download = fileName;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), SAVING_MS);
}

/** Saves a value as a JSON file. */
export function downloadJson(fileName: string, value: unknown): void {
  const json = `${JSON.stringify(value, null, 2)}\n`;
  download(fileName, new Blob([json], { type: 'application/json' }));
}
