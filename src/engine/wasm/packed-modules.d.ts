/* The scripts with the modules of WebAssembly, which scripts/library.mjs makes of dist/wasm. */
declare module 'wasm:*' {
  /** The module's bytes by DEFLATE (RFC 1951), as Base64 (RFC 4648, section 4). */
  const packed: string;
  export default packed;
}
