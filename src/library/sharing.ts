/* `sealwright/sharing`: public keys, identities and passphrases, to seal to people and open what they send; and proofs of what people signed. */
export {
  SHARING_TYPES,
  generateIdentity,
  identityOf,
  identityText,
  openingWith,
  openingWithPassphrase,
  parseIdentity,
  sealingTo,
  sealingWithPassphrase,
} from '../format/recipients/sharing.ts';
export { createGroup, groupAdmin, openGroup } from '../format/groups/sharing-groups.ts';
export { keyFileText, parseKeyFile } from '../format/recipients/key-file.ts';
export { parseProof, verifyProof } from '../format/recipients/proof.ts';
export { parsePublicKey, publicKeyText } from '../format/wire/public-key.ts';

export type { Argon2idCost } from '../format/passphrase.ts';
export type { Identity, Recipient } from '../format/keys/data-key.ts';
export type { RecipientType, RecipientTypes } from '../format/recipients/recipient-type.ts';
export type {
  OpenedGroup,
  OpeningWith,
  SealingTo,
  SharingIdentity,
  WithGroups,
} from '../format/recipients/sharing.ts';
export type {
  Group,
  GroupAdmin,
  GroupChanges,
  GroupOptions,
  NewMember,
} from '../format/groups/sharing-groups.ts';
export type { KeyPairName } from '../format/wire/recipient-table.ts';
export type { KeyFile, KeyFileContent } from '../format/recipients/key-file.ts';
export type { Proof } from '../format/recipients/proof.ts';
export type { SignedContent } from '../format/recipients/signature.ts';
export type { PublicKey, PublicKeyType } from '../format/wire/public-key.ts';
