import { VersioningType } from '@nestjs/common';
import { type NestExpressApplication } from '@nestjs/platform-express';
import { type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { Config } from '@platform/config';
import { NestLogAdapter } from '@platform/observability';
import { type NextFunction, type Request, type Response } from 'express';
import helmet, { type HelmetOptions } from 'helmet';
import { answerClientErrors, serveDocument, openApiDocument, refuseEncodedBodies, RequestMiddleware } from './http';

/** Everything between the socket and the controllers that is not a Nest provider. Production and tests both call it. */
export function setUpApi(app: NestExpressApplication): void {
  const config = app.get(Config);
  app.useLogger(app.get(NestLogAdapter));
  app.set('trust proxy', config.trustedProxies);
  app.set('query parser', 'simple'); // no nested objects, so no operators, from a query string
  app.set('etag', false); // costs a hash of every body, and answers of an API are not cached
  app.disable('x-powered-by');
  answerClientErrors(app.getHttpServer());
  app.use(app.get(RequestMiddleware).handler());
  app.use(securityHeaders());
  if (config.corsOrigins.length > 0) app.enableCors(corsOptions(config.corsOrigins));
  app.use(refuseEncodedBodies);
  app.enableVersioning({ type: VersioningType.URI, defaultVersion: '1' });
  serveDocumentation(app, config.publicUrl);
}

/** The document is public, so a request for it must cost next to nothing: YAML is not offered, JSON is serialised once. */
function serveDocumentation(app: NestExpressApplication, publicUrl: string): void {
  let built: OpenAPIObject | undefined;
  const document = () => (built ??= openApiDocument(app, publicUrl));
  app.getHttpAdapter().getInstance().get('/openapi.json', serveDocument(document));
  // The module keeps its page and its script itself; what it serves raw it would serialise at each request.
  SwaggerModule.setup('docs', app, document, { raw: false, customSiteTitle: 'Outreach Email Platform API' });
}

/** The API answers JSON and loads nothing; only the documentation page runs scripts, and only its own. */
function securityHeaders() {
  const api = headersOf({
    contentSecurityPolicy: { useDefaults: false, directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] } },
    crossOriginResourcePolicy: { policy: 'same-origin' },
  });
  const docs = headersOf({
    contentSecurityPolicy: {
      directives: {
        upgradeInsecureRequests: null,
        styleSrc: ["'self'", "'unsafe-inline'"],
        imgSrc: ["'self'", 'data:'],
      },
    },
  });
  return (request: Request, response: Response, next: NextFunction): void => {
    response.setHeaders(request.url.startsWith('/docs') ? docs : api);
    next();
  };
}

/** What helmet sets with these options is the same for every request: asked once, instead of a dozen calls each time. */
function headersOf(options: HelmetOptions): Map<string, string> {
  const headers = new Map([['Cache-Control', 'no-store']]);
  // All that helmet asks of a response.
  const response = {
    setHeader: (name: string, value: unknown) => headers.set(name, String(value)),
    removeHeader: (name: string) => headers.delete(name),
  };
  helmet(options)({} as never, response as never, (error?: unknown) => {
    if (error !== undefined) throw error;
  });
  return headers;
}

function corsOptions(origins: readonly string[]) {
  return {
    origin: [...origins],
    methods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
    allowedHeaders: ['Authorization', 'Content-Type', 'Idempotency-Key', 'X-Api-Key', 'X-Request-Id', 'X-Workspace-Id'],
    exposedHeaders: [
      'Idempotent-Replayed',
      'RateLimit-Limit',
      'RateLimit-Remaining',
      'RateLimit-Reset',
      'Retry-After',
      'X-Request-Id',
    ],
    maxAge: 600,
  };
}
