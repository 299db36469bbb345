import { FIXTURES, RESISTING, type Fixture } from './fixtures.ts';

/*
 * The tables of "Where it works" in docs/fields.md. gallery.test.ts holds that the page has them, and
 * fixture by fixture that they are true.
 */
const SAID = {
  refused: 'that the page did not take it',
  altered: 'that the field has another text now, and shows the former one',
  'too-long': 'how many characters the field takes',
  'read-only': 'that the field cannot be written to',
  gone: 'that the field is no longer there',
  changed: 'that the field has another text by now',
  forbidden: 'that such a field is never sealed',
} as const;

export function whereItWorks(): string {
  const takes = FIXTURES.map((fixture) => `| ${fixture.title} | ${how(fixture)} |`);
  return ['| into | in Chromium and Firefox |', '| --- | --- |', ...takes].join('\n');
}

export function whereItDoesNot(): string {
  const refusals = RESISTING.map(({ title, outcome }) => {
    const said = outcome.inserted ? '' : SAID[outcome.reason];
    return `| ${title} | ${said} |`;
  });
  return ['| a field that | the window says |', '| --- | --- |', ...refusals].join('\n');
}

/** By fields-editors.test.ts. */
const how = ({ name }: Fixture): string =>
  name === 'other-frame'
    ? 'where the site of the frame is enabled, or allowed once; else the text can be copied'
    : 'yes';
