/* Sealed attachments of CouchDB documents: what the document says of them, and what may be sent to a server. */
import type { Fields } from './content.ts';

/** Media type of a sealed attachment, whatever it contains. */
export const SEALED_ATTACHMENT = 'application/vnd.sealwright.sealed';

/** By their names: the names under which the database has them, media types, and sizes in bytes. */
export type SealedAttachments = Readonly<
  Record<string, { readonly stored: string; readonly type: string; readonly size: number }>
>;

/** What a document says of its sealed attachments. */
export function attachmentsOf(document: Fields): SealedAttachments {
  return (document['sealwrightAttachments'] ?? {}) as SealedAttachments;
}

/** Attachments as CouchDB has them: stubs, or with data. */
export type Attachments = Readonly<
  Record<string, { readonly content_type?: string; readonly data?: unknown }>
>;

/** The first bytes of every sealed message (docs/format.md section 2). */
const MAGIC = [0xf5, 0x53, 0x57, 0x4d];
/** The same as Base64, whose sixth character has bits of the version too. */
const MAGIC_BASE64 = '9VNXT';

/** The first attachment that may not be sent to a server, because it is not sealed; undefined if there is none. */
export async function unsealedAttachment(attachments: Attachments): Promise<string | undefined> {
  for (const [name, { content_type, data }] of Object.entries(attachments)) {
    if (content_type !== SEALED_ATTACHMENT || !(await isSealed(data))) return name;
  }
  return undefined;
}

/** Stubs have no data: the server has those already. */
async function isSealed(data: unknown): Promise<boolean> {
  if (data === undefined) return true;
  if (typeof data === 'string') return data.startsWith(MAGIC_BASE64);
  const start = new Uint8Array(
    await new Blob([data as BlobPart]).slice(0, MAGIC.length).arrayBuffer(),
  );
  return MAGIC.every((byte, i) => start[i] === byte);
}

/** The attachments of a server's document that are sealed ones, and that the opened document names. */
export function namedAttachments(attachments: Attachments, document?: Fields): Attachments {
  const named = document && Object.values(attachmentsOf(document)).map(({ stored }) => stored);
  const entries = Object.entries(attachments).filter(
    ([name, { content_type }]) =>
      content_type === SEALED_ATTACHMENT && (named === undefined || named.includes(name)),
  );
  return Object.fromEntries(entries);
}
