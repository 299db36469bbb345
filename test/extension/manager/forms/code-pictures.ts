/* Pictures of QR codes, as screens show them and cameras see them. */
import { crc32, deflateSync } from 'node:zlib';
import { encode } from 'uqr';

/** Four bytes a pixel: red, green, blue, opacity. */
export interface Pixels {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8ClampedArray<ArrayBuffer>;
}

/** The modules of a code with its light margin, row by row; true is dark. */
export type Modules = readonly (readonly boolean[])[];

export const modulesOf = (content: string): Modules =>
  encode(content, { ecc: 'M', border: 4 }).data;

/** A grey picture. @param shade of a pixel, 0 (black) to 255 */
export function picture(
  width: number,
  height: number,
  shade: (x: number, y: number) => number,
): Pixels {
  const data = new Uint8ClampedArray(4 * width * height).fill(255);
  for (let at = 0; at < width * height; at++) {
    data.fill(shade(at % width, Math.floor(at / width)), 4 * at, 4 * at + 3);
  }
  return { width, height, data };
}

interface Placed {
  readonly width: number;
  readonly height: number;
  /** Pixels of a module. */
  readonly scale: number;
  /** Clockwise around the middle, in degrees. */
  readonly turned?: number;
}

/** A code in the middle of a grey picture. */
export function codePicture(
  modules: Modules,
  { width, height, scale, turned = 0 }: Placed,
): Pixels {
  const angle = (-turned * Math.PI) / 180;
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  const middle = modules.length / 2;
  return picture(width, height, (x, y) => {
    const [dx, dy] = [(x + 0.5 - width / 2) / scale, (y + 0.5 - height / 2) / scale];
    const row = modules[Math.floor(middle + dx * sin + dy * cos)];
    const isDark = row?.[Math.floor(middle + dx * cos - dy * sin)];
    if (isDark === undefined) return 160;
    return isDark ? 20 : 240;
  });
}

/** A code alone, black on white, as in a screenshot. */
export const plainCode = (modules: Modules, scale = 4): Pixels =>
  picture(modules.length * scale, modules.length * scale, (x, y) =>
    modules[Math.floor(y / scale)]![Math.floor(x / scale)] ? 0 : 255,
  );

const chunk = (name: string, data: Buffer): Buffer => {
  const named = Buffer.concat([Buffer.from(name, 'latin1'), data]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  check.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, check]);
};

/** The head of a grey PNG file of this size: its signature and first chunk. */
export function pngHead(width: number, height: number): Buffer {
  const size = Buffer.alloc(13);
  size.writeUInt32BE(width, 0);
  size.writeUInt32BE(height, 4);
  size.set([8, 0, 0, 0, 0], 8); // bits of a sample, grey, and the only methods that there are
  return Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), chunk('IHDR', size)]);
}

/** A grey PNG file. */
export function pngOf({ width, height, data }: Pixels): Buffer {
  const rows = Buffer.alloc(height * (width + 1)); // each row begins with its filter: none
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) rows[y * (width + 1) + 1 + x] = data[4 * (y * width + x)]!;
  }
  const pixels = chunk('IDAT', deflateSync(rows));
  return Buffer.concat([pngHead(width, height), pixels, chunk('IEND', Buffer.alloc(0))]);
}

/** A film of one grey frame in the form that Chromium takes for a camera (YUV4MPEG2, 4:2:0). Width and height are even. */
export function filmOf({ width, height, data }: Pixels): Buffer {
  const grey = Buffer.from(Array.from({ length: width * height }, (_, at) => data[4 * at]!));
  const noColour = Buffer.alloc((width * height) / 2, 128);
  const head = `YUV4MPEG2 W${width} H${height} F10:1 Ip A1:1 C420jpeg\nFRAME\n`;
  return Buffer.concat([Buffer.from(head, 'latin1'), grey, noColour]);
}
