/*
 * Archives that depend on nothing but their files: sorted, with one time, and compressed by a library of the lock file,
 * because the zlib of Node gives other bytes with another version.
 */
import { Buffer } from 'node:buffer';
import { gzipSync, zipSync } from 'fflate';

/** Zips record times in local time, so this text means the same moment everywhere. */
const ZIP_TIME = new Date('2000-01-01T00:00:00');
const BLOCK = 512;
/** The limits of the two fields of a tar header that hold a path. */
const PATH = { name: 100, prefix: 155 };

const sorted = (files) => [...files].sort(([a], [b]) => (a < b ? -1 : 1));

/** A zip of files by path. */
export function zipOf(files) {
  return Buffer.from(zipSync(Object.fromEntries(sorted(files)), { level: 9, mtime: ZIP_TIME }));
}

/**
 * A gzipped tar of files by path, as npm packs: one folder "package", no owner, no time.
 *
 * @param executable the paths of programs
 */
export function packageTarball(files, executable) {
  const blocks = sorted(files).flatMap(([path, bytes]) => {
    const mode = executable.includes(path) ? 0o755 : 0o644;
    const padding = Buffer.alloc((BLOCK - (bytes.length % BLOCK)) % BLOCK);
    return [tarHeader(`package/${path}`, bytes.length, mode), bytes, padding];
  });
  const tar = Buffer.concat([...blocks, Buffer.alloc(2 * BLOCK)]);
  return Buffer.from(gzipSync(tar, { level: 9, mtime: 0 }));
}

/** A header of ustar (POSIX.1-1988). */
function tarHeader(path, bytes, mode) {
  const header = Buffer.alloc(BLOCK);
  const [prefix, name] = splitPath(path);
  const octal = (value, at, digits) => header.write(value.toString(8).padStart(digits, '0'), at);
  header.write(name, 0);
  octal(mode, 100, 7);
  octal(0, 108, 7);
  octal(0, 116, 7);
  octal(bytes, 124, 11);
  octal(0, 136, 11);
  header.write('0', 156);
  header.write('ustar\x0000', 257);
  header.write(prefix, 345);
  // The sum of the header with blanks in place of the sum.
  header.fill(' ', 148, 156);
  const sum = header.reduce((all, byte) => all + byte, 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return header;
}

function splitPath(path) {
  if (/[^\x20-\x7e]/.test(path)) throw new Error(`${path} is not ASCII`);
  if (path.length <= PATH.name) return ['', path];
  const at = path.lastIndexOf('/', PATH.prefix);
  const parts = [path.slice(0, at), path.slice(at + 1)];
  if (at < 0 || parts[1].length > PATH.name) throw new Error(`${path} is too long for a tar`);
  return parts;
}
