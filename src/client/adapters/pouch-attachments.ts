import { jsonOf } from './json.ts';
import { checkOptions, checkProvider } from '../errors.ts';
import type { Sealwright } from '../page-api.ts';
import { existing, type PouchDocument } from './pouch.ts';
import { membersOf } from './content.ts';
import {
  SEALED_ATTACHMENT,
  attachmentsOf,
  type Attachments,
  type SealedAttachments,
} from './sealed-attachments.ts';

/** The methods of PouchDB that are used here. */
export interface PouchDatabase {
  get(id: string): Promise<PouchDocument>;
  put(document: PouchDocument): Promise<unknown>;
  getAttachment(id: string, attachment: string): Promise<unknown>;
}

/** What is known of an attachment without opening it. */
export interface AttachmentInfo {
  readonly name: string;
  /** Media type, possibly empty. */
  readonly type: string;
  /** Bytes. */
  readonly size: number;
}

/** Options of `pouchAttachments`. */
export interface AttachmentOptions {
  /** Id of the key; default: this origin's app key. */
  readonly key?: string | undefined;
  /** What PouchDB stores: in browsers the Blob itself (default), in Node a Buffer of its bytes. */
  readonly toData?: ((sealed: Blob) => unknown) | undefined;
}

/** Sealed attachments of documents. */
export interface PouchAttachments {
  /**
   * Adds an attachment to a document, or replaces it. A document that does not exist is made.
   *
   * @param name any text; it is stored in the document
   * @param content of any size up to 32 GiB; its type is kept
   * @throws PouchDB's conflict (status 409) if the document was changed meanwhile
   */
  put(id: string, name: string, content: Blob): Promise<void>;
  /**
   * Opens an attachment.
   *
   * @returns the content with its type; undefined if the document has no attachment of this name
   * @throws SealwrightError AUTH_FAILED if the database has another content than this document says, and PouchDB's
   *   errors, such as the one for a missing document (status 404)
   */
  get(id: string, name: string): Promise<Blob | undefined>;
  list(id: string): Promise<AttachmentInfo[]>;
  /** @throws PouchDB's errors. A name that the document does not have is no error */
  remove(id: string, name: string): Promise<void>;
}

/**
 * Sealed attachments for a database of PouchDB, local or remote. The database has them under random names and without
 * their types; its digests are those of sealed bytes, so that replication and deduplication work as before. Names,
 * types and sizes are in the document, in `sealwrightAttachments`: put `pouchTransform` on the remote handle to seal
 * them there, which then accepts these attachments and no others.
 *
 * An attachment is bound to its document, and to the version that the document names: a server cannot swap it, or put
 * an older one in its place.
 *
 * @example
 *   const attachments = pouchAttachments(local, sealwright);
 *   await attachments.put('letter 1', 'photo.jpg', file);
 *   image.src = URL.createObjectURL(await attachments.get('letter 1', 'photo.jpg'));
 */
export function pouchAttachments(
  db: PouchDatabase,
  sealwright: Pick<Sealwright, 'sealBlob' | 'openBlob'>,
  options: AttachmentOptions = {},
): PouchAttachments {
  checkOptions(options, 'key', 'toData');
  checkProvider(sealwright, 'sealBlob', 'openBlob');
  const { key, toData = (sealed: Blob): unknown => sealed } = options;
  const contextOf = (id: string, stored: string): string =>
    jsonOf(['sealwright/adapters', 'pouchAttachments', id, stored]);

  /** The document without one of its attachments. */
  const without = (document: PouchDocument, name: string): PouchDocument => {
    const { [name]: removed, ...sealwrightAttachments } = attachmentsOf(document);
    const _attachments = membersOf(
      document._attachments ?? {},
      (stored) => stored !== removed?.stored,
    ) as Attachments;
    return { ...document, sealwrightAttachments, _attachments };
  };

  return {
    async put(id, name, content) {
      const stored = crypto.randomUUID();
      const context = contextOf(id, stored);
      const sealed = await sealwright.sealBlob(
        content,
        key === undefined ? { context } : { context, key },
      );
      const data = await toData(sealed);
      const document = without((await existing(db, id)) ?? { _id: id }, name);
      const attachments: SealedAttachments = {
        ...attachmentsOf(document),
        [name]: { stored, type: content.type, size: content.size },
      };
      const file = { content_type: SEALED_ATTACHMENT, data };
      const _attachments = { ...document._attachments, [stored]: file };
      await db.put({ ...document, sealwrightAttachments: attachments, _attachments });
    },

    async get(id, name) {
      const found = attachmentsOf(await db.get(id))[name];
      if (!found) return undefined;
      const sealed = new Blob([(await db.getAttachment(id, found.stored)) as BlobPart]);
      const opened = await sealwright.openBlob(sealed, { context: contextOf(id, found.stored) });
      return new Blob([opened], { type: found.type });
    },

    async list(id) {
      const all = Object.entries(attachmentsOf(await db.get(id)));
      return all.map(([name, { type, size }]) => ({ name, type, size }));
    },

    async remove(id, name) {
      const document = await db.get(id);
      if (attachmentsOf(document)[name]) await db.put(without(document, name));
    },
  };
}
