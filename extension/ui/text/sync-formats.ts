/** What formats of synced records are called: names of products, the same in every language. */
const NAMES: Readonly<Record<string, string>> = {
  sealwright: 'Sealwright',
  'weave-5': 'Firefox Sync',
  kinto: 'Kinto',
  notes: 'Firefox Notes',
};

/** Those that keys can be imported for. */
export const FOREIGN_FORMATS = ['weave-5', 'kinto', 'notes'] as const;
export type ForeignFormat = (typeof FOREIGN_FORMATS)[number];

export function formatName(format: string | null): string {
  return (format !== null && NAMES[format]) || '';
}

/** Whether a key is for records that do not authenticate the collection they are from. */
export function isForeign(format: string | null): boolean {
  return FOREIGN_FORMATS.some((each) => each === format);
}
