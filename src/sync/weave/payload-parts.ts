/** The canonical spelling of a payload, around its three texts: Base64, Base64, lower-case hexadecimal. */
export const PARTS = ['{"ciphertext":"', '","IV":"', '","hmac":"', '"}'] as const;

export const IV_BYTES = 16;
/** HMAC-SHA-256 */
export const TAG_BYTES = 32;
