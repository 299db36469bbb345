/** What became of a text that was to be put into a field. */
export type InsertOutcome =
  | { readonly inserted: true }
  | {
      readonly inserted: false;
      /**
       * `refused`: the field, or the page's own script, did not keep it as it was given;
       * `too-long`: it takes `limit` characters; `gone`: it is in the document no more;
       * `forbidden`: a field of a kind that is never written to.
       */
      readonly reason: 'refused' | 'too-long' | 'read-only' | 'gone' | 'forbidden';
      readonly limit?: number;
    };

/** What the text takes the place of: all that the field holds, or what is selected in it. */
export type Place = 'all' | 'selection';
