/** The used part of the API; the package has no types. */
declare module 'mjml' {
  interface Options {
    readonly validationLevel: 'strict';
    readonly keepComments: boolean;
    /** Style sheet URL by font family. */
    readonly fonts: Readonly<Record<string, string>>;
  }
  function compile(mjml: string, options: Options): Promise<{ html: string }>;
  export = compile;
}
