import { type IsolationEnvironment } from '../isolation/isolation-environment';

/** An address outside the OpenAPI document: a page, an image, a callback. */
export interface Outer {
  label: string;
  method: 'get' | 'post';
  /** With `:parameters`. */
  template: string;
}

interface Layer {
  route?: { path: string; methods: Record<string, boolean> };
}

/** Pages about the API, equal for every reader: a megabyte each, without content of the request. */
const ABOUT_ITSELF = /^\/(docs|openapi)/;

/** All other routes of the running API, from its router. */
export function addressesOutside({ platform, routes }: IsolationEnvironment): Outer[] {
  const { router } = platform.app.getHttpAdapter().getInstance() as { router: { stack: Layer[] } };
  const documented = new Set(
    routes.map(({ method, template }) => `${method} ${template.replaceAll(/\{(\w+)\}/g, ':$1')}`),
  );
  return router.stack.flatMap(({ route }) =>
    (['get', 'post'] as const)
      .filter((method) => route?.methods[method] === true)
      .map((method) => ({ method, template: route?.path ?? '', label: `${method} ${route?.path ?? ''}` }))
      .filter(({ label, template }) => !documented.has(label) && !ABOUT_ITSELF.test(template)),
  );
}
