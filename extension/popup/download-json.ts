/** Saves a value as a JSON file. */
export function downloadJson(fileName: string, value: unknown): void {
  const json = `${JSON.stringify(value, null, 2)}\n`;
  const url = URL.createObjectURL(new Blob([json], { type: 'application/json' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = fileName;
  link.click();
  const KEEP_MS = 60_000; // the browser reads the blob some time after the click
  setTimeout(() => URL.revokeObjectURL(url), KEEP_MS);
}
