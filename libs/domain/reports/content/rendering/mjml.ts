let loading: Promise<typeof import('mjml')> | undefined;

/**
 * Compiles MJML to HTML. The compiler is loaded with the first report, which costs as much time as dozens of reports,
 * and 80 MB. It may load no files (`mj-include`) and no fonts.
 */
export async function renderMjml(mjml: string): Promise<string> {
  loading ??= import('mjml').then((module) => module.default);
  const compile = await loading;
  const { html } = await compile(mjml, { validationLevel: 'strict', keepComments: false, fonts: {} });
  return html;
}
