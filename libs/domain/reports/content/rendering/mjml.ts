let loading: Promise<typeof import('mjml')> | undefined;

/**
 * HTML of MJML. The compiler is loaded with the first report, which takes as long as some dozens of them and 80 MB. It may load
 * nothing itself: neither files (`mj-include`) nor fonts.
 */
export async function toHtml(mjml: string): Promise<string> {
  loading ??= import('mjml').then((module) => module.default);
  const compile = await loading;
  const { html } = await compile(mjml, { validationLevel: 'strict', keepComments: false, fonts: {} });
  return html;
}
