/* Sealed attachments of CouchDB documents: what the document says of them, and what may be sent to a server. */
import { membersOf, type Fields } from './content.ts';

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
const MAGIC = '\xf5SWM';

/** Whether all attachments may be sent to a server. */
export async function areSealed(attachments: Attachments): Promise<boolean> {
  for (const { content_type, data } of Object.values(attachments)) {
    if (content_type !== SEALED_ATTACHMENT || !(await isSealed(data))) return false;
  }
  return true;
}

/** Stubs have no data: the server has those already. */
async function isSealed(data: unknown): Promise<boolean> {
  if (data === undefined) return true;
  // Base64: 8 characters are 6 bytes.
  if (typeof data === 'string') return atob(data.slice(0, 8)).startsWith(MAGIC);
  const start = await new Blob([data as BlobPart]).slice(0, MAGIC.length).arrayBuffer();
  return String.fromCharCode(...new Uint8Array(start)) === MAGIC;
}

/** The attachments of a server's document that are sealed ones, and that the opened document names. */
export function namedAttachments(attachments: Attachments, document?: Fields): Attachments {
  const isOwn = (name: string): boolean =>
    attachments[name]!.content_type === SEALED_ATTACHMENT &&
    (!document || Object.values(attachmentsOf(document)).some(({ stored }) => stored === name));
  return membersOf(attachments, isOwn) as Attachments;
}
