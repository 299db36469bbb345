/** Saves a backup under a name that sorts by day. @returns the name */
export function downloadBackup(file: Uint8Array, now = new Date()): string {
  const day = now.toISOString().slice(0, 10);
  const name = `sealwright-${day}.backup`;
  const url = URL.createObjectURL(new Blob([file.slice()], { type: 'application/octet-stream' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  const KEEP_MS = 60_000; // the browser reads the blob some time after the click
  setTimeout(() => URL.revokeObjectURL(url), KEEP_MS);
  return name;
}
