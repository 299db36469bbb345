type Files = ReadonlyMap<string, Uint8Array>;

export function zipOf(files: Files): Buffer;
export function packageTarball(files: Files, executable: readonly string[]): Buffer;
