import type { MessageKey } from '../text/i18n.ts';
import { isTone, TONE_NAMES, type Tone } from './tones.tsx';

/*
 * The picture of an installation, against pages that imitate its windows (security.md, A18): three
 * things out of 32, on a seal of one of eight colours and four outlines. About a million pictures
 * (30 · 31 · 32 · 8 · 4), which a page can only guess, told apart by what they show and not by
 * colour alone. It is no secret of the vault, and opens nothing.
 */
export interface Picture {
  readonly symbols: readonly PictureSymbol[];
  readonly tone: Tone;
  readonly outline: PictureOutline;
}

/** What each thing is called. Only added to: a stored picture names them. */
export const SYMBOLS = {
  anchor: 'pictureAnchor',
  apple: 'pictureApple',
  bell: 'pictureBell',
  bike: 'pictureBike',
  bird: 'pictureBird',
  book: 'pictureBook',
  cake: 'pictureCake',
  camera: 'pictureCamera',
  car: 'pictureCar',
  cat: 'pictureCat',
  cherry: 'pictureCherry',
  crown: 'pictureCrown',
  dog: 'pictureDog',
  egg: 'pictureEgg',
  feather: 'pictureFeather',
  fish: 'pictureFish',
  flower: 'pictureFlower',
  guitar: 'pictureGuitar',
  hammer: 'pictureHammer',
  lamp: 'pictureLamp',
  leaf: 'pictureLeaf',
  moon: 'pictureMoon',
  mountain: 'pictureMountain',
  plane: 'picturePlane',
  rabbit: 'pictureRabbit',
  rocket: 'pictureRocket',
  sailboat: 'pictureSailboat',
  snail: 'pictureSnail',
  sun: 'pictureSun',
  tent: 'pictureTent',
  turtle: 'pictureTurtle',
  umbrella: 'pictureUmbrella',
} as const satisfies Record<string, MessageKey>;

export type PictureSymbol = keyof typeof SYMBOLS;

export const OUTLINES = ['circle', 'square', 'hexagon', 'scallop'] as const;

export type PictureOutline = (typeof OUTLINES)[number];

const SYMBOL_COUNT = 3;

/** @param random fills what it is given, as `crypto.getRandomValues` */
export function newPicture(random: (target: Uint32Array<ArrayBuffer>) => void): Picture {
  const draws = new Uint32Array(SYMBOL_COUNT + 2);
  random(draws);
  const [outline, tone, ...things] = draws;
  const left = Object.keys(SYMBOLS) as PictureSymbol[];
  return {
    symbols: things.map((draw) => left.splice(draw % left.length, 1)[0]!),
    tone: TONE_NAMES[tone! % TONE_NAMES.length]!,
    outline: OUTLINES[outline! % OUTLINES.length]!,
  };
}

/** Whether a stored value is a picture that this version can draw. */
export function isPicture(value: unknown): value is Picture {
  if (typeof value !== 'object' || value === null) return false;
  const { symbols, tone, outline } = value as Partial<Record<keyof Picture, unknown>>;
  const areKnown = (names: readonly unknown[]) =>
    names.every((name) => typeof name === 'string' && Object.hasOwn(SYMBOLS, name));
  return (
    Array.isArray(symbols) &&
    symbols.length === SYMBOL_COUNT &&
    areKnown(symbols) &&
    isTone(tone) &&
    OUTLINES.some((known) => known === outline)
  );
}
