/*
 * The sizes that the page contract promises (src/client/page-api.ts).
 * Larger arguments are refused with TOO_LARGE before they travel anywhere.
 */
const KIB = 1024;
const MIB = 1024 * KIB;

/** One-shot plaintext: 64 MiB in memory; Blobs and streams take over beyond it. */
export const MAX_PLAINTEXT_BYTES = 64 * MIB;

/** Blobs and streams: 32 GiB. */
export const MAX_BLOB_BYTES = 32 * 1024 * MIB;

/** A file of another tool, opened in one piece, in memory: 16 MiB. */
export const MAX_FILE_BYTES = 16 * MIB;

/** Files of devices in one call, and all of them together: 16 MiB. */
export const DEVICE_FILES_MAX = 64;
export const DEVICE_FILES_MAX_BYTES = MAX_FILE_BYTES;

/** Of an age file before its payload: some hundred hybrid recipients. */
export const MAX_AGE_HEAD_BYTES = 256 * KIB;

/** Before the first chunk: header 24, recipients 2 + 24,576, salt 24, commitment 32. */
export const MAX_PREFIX_BYTES = 24_658;

/** One piece of a stream: a chunk of 1 MiB and its tag. */
export const MAX_STREAM_PIECE_BYTES = MIB + 16;

/** Pieces of a stream in one message. */
export const MAX_STREAM_PIECES = 3;

/**
 * A sealed message of that plaintext: Padmé rounds 64 MiB + 1 up to 66 MiB; header 24, salt 24,
 * commitment 32, a 16-byte tag for each of 67 chunks and 24,576 bytes of recipients stay below 64 KiB.
 */
export const MAX_SEALED_BYTES = 66 * MIB + 64 * KIB;

/** `sw1.` and base64url: four characters for three bytes. All ASCII, so bytes are characters. */
export const MAX_ARMORED_BYTES = 4 + Math.ceil((MAX_SEALED_BYTES * 4) / 3);

/** The same for a Blob: Padmé adds less than a 32nd, the rest of a sealed message less than 1 MiB. */
export const MAX_SEALED_BLOB_BYTES = MAX_BLOB_BYTES + MAX_BLOB_BYTES / 32 + MIB;

/** Associated data: 64 KiB. */
export const MAX_CONTEXT_BYTES = 64 * KIB;

/** A value that an index is made of: 64 KiB. */
export const MAX_INDEXED_BYTES = 64 * KIB;

/** The name of the field that an indexed value belongs to. */
export const MAX_FIELD_CHARACTERS = 256;

/** A tag or a signature: RSA of 8,192 bits has the longest. */
export const MAX_PROOF_BYTES = KIB;

/** `swp1.` and base64url of a public key: RSA of 8,192 bits has the longest. */
export const MAX_PUBLIC_KEY_CHARACTERS = 2800;

/** Epochs of groups in one call (docs/format.md section 3.9), and their texts together. */
export const MAX_EPOCHS = 1_024;
/** Length of all of them as text. */
export const MAX_EPOCHS_BYTES = 32 * MIB;

/** Recipients of one message (docs/format.md section 10). */
export const MAX_RECIPIENTS = 16;

/** `random`: 0 … 1 MiB per call. */
export const MAX_RANDOM_BYTES = MIB;

/** One sentence of the site's own words, shown in the consent prompt. */
export const MAX_PURPOSE_CHARACTERS = 500;

/** Items of sealMany, openMany and rewrapMany. */
export const MAX_BATCH_ITEMS = 10_000;

/** All items of a batch before sealing: as much as one message. */
export const MAX_BATCH_PLAINTEXT_BYTES = MAX_PLAINTEXT_BYTES;

/** All contexts of a batch that has one for each item: what a parcel has room for beside sealed items. */
export const MAX_BATCH_CONTEXT_BYTES = MIB;

/**
 * The same sealed. Each of 10,000 messages adds 96 bytes, and Padmé 12 % at most, which together is
 * less than the room that base64url of one message has.
 */
export const MAX_BATCH_SEALED_BYTES = MAX_ARMORED_BYTES;

/** Records to encrypt, as JSON. Encrypted, in Base64 and with their metadata they still fit a batch. */
export const MAX_BATCH_RECORD_BYTES = 48 * MIB;

/** A record of a Weave, Kinto or Notes server, as JSON before it is encrypted; their own limits are at 2 to 2.5 MiB. */
export const MAX_SYNC_RECORD_BYTES = 2.5 * MIB;

/** Heads of devices and their chunks, as text: those of a dozen devices that each wrote 10,000 records. */
export const MAX_HEADS_BYTES = 4 * MIB;

/** One head or chunk, as text (docs/sync.md section 2.1). */
export const MAX_HEAD_CHARACTERS = 6000;

/** Chunks of one device. */
export const MAX_HEAD_CHUNKS = 112;

/** A server's crypto/keys record, with some hundreds of collections in it. */
export const MAX_COLLECTION_KEYS_BYTES = 256 * KIB;

/** Names of collections. */
export const MAX_COLLECTION_CHARACTERS = 64;

/** Collections of one grant. */
export const MAX_COLLECTIONS = 100;

/** Ids of records, in UTF-16 code units; Weave's servers take 64. */
export const MAX_RECORD_ID_CHARACTERS = 512;

/** One argument or result of `subtle`: 16 MiB. */
export const MAX_SUBTLE_BYTES = 16 * MIB;

/** Names that people give to keys. */
export const MAX_LABEL_CHARACTERS = 100;

/** A recovery code as it was typed; one has 28 symbols, and hyphens between them. */
export const MAX_RECOVERY_CODE_CHARACTERS = 200;

/** A user's note about a key, in UTF-16 code units. */
export const MAX_NOTE_CHARACTERS = 1000;

/** Ids are opaque; ours are far shorter. */
export const MAX_ID_CHARACTERS = 256;

/** The attribute by which a form field is recognised. */
export const MAX_FIELD_NAME_CHARACTERS = 200;

/** How long a device that exchanges with others waits to hear of one that it has added, in ms: 30 days. */
export const JOINING_MS = 30 * 86_400_000;
