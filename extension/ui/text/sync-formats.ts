/** Names of the formats of synced records: product names, the same in every language. */
const NAMES: Readonly<Record<string, string>> = {
  sealwright: 'Sealwright',
  'weave-5': 'Firefox Sync',
  kinto: 'Kinto',
  notes: 'Firefox Notes',
};

/** The formats of other products, for which keys can be imported. */
export const FOREIGN_FORMATS = ['weave-5', 'kinto', 'notes'] as const;
/** One of the `FOREIGN_FORMATS`. */
export type ForeignFormat = (typeof FOREIGN_FORMATS)[number];

/** The name of a format; '' for null and unknown formats. */
export function formatName(format: string | null): string {
  return (format !== null && NAMES[format]) || '';
}

/**
 * Whether a format belongs to another product. Its records do not authenticate their collection.
 */
export function isForeign(format: string | null): boolean {
  return FOREIGN_FORMATS.some((each) => each === format);
}
