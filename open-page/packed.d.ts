/* Texts that scripts/open-page.mjs packs into the page. */
declare module 'packed:*' {
  /** JSON by DEFLATE (RFC 1951), as Base64 (RFC 4648, section 4). */
  const packed: string;
  export default packed;
}
