/** What is used of it; it brings no types. */
declare module 'mjml' {
  interface Options {
    readonly validationLevel: 'strict';
    readonly keepComments: boolean;
    /** By family the style sheet that is linked where the family is named. */
    readonly fonts: Readonly<Record<string, string>>;
  }
  function compile(mjml: string, options: Options): Promise<{ html: string }>;
  export = compile;
}
