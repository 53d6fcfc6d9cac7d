import { VersioningType } from '@nestjs/common';
import { type NestExpressApplication } from '@nestjs/platform-express';
import { type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { Config } from '@platform/config';
import { NestLogAdapter } from '@platform/observability';
import { type NextFunction, type Request, type Response } from 'express';
import helmet, { type HelmetOptions } from 'helmet';
import {
  answerClientErrors,
  serveDocument,
  createOpenApiDocument,
  refuseEncodedBodies,
  RequestMiddleware,
} from './http';

/** Everything between the socket and the controllers that is not a Nest provider. Production and tests both call it. */
export function setUpApi(app: NestExpressApplication): void {
  const config = app.get(Config);
  app.useLogger(app.get(NestLogAdapter));
  app.set('trust proxy', config.trustedProxies);
  app.set('query parser', 'simple'); // No nested objects, so no query operators, from a query string.
  app.set('etag', false); // An ETag costs a hash of every body, and API responses are not cached.
  app.disable('x-powered-by');
  answerClientErrors(app.getHttpServer());
  app.use(app.get(RequestMiddleware).handler());
  app.use(createSecurityHeaders());
  if (config.corsOrigins.length > 0) app.enableCors(getCorsOptions(config.corsOrigins));
  app.use(refuseEncodedBodies);
  app.enableVersioning({ type: VersioningType.URI, defaultVersion: '1' });
  serveDocumentation(app, config.publicUrl);
}

/** The document is public, so a request for it must be cheap: no YAML, and JSON is serialised once. */
function serveDocumentation(app: NestExpressApplication, publicUrl: string): void {
  let built: OpenAPIObject | undefined;
  const document = () => (built ??= createOpenApiDocument(app, publicUrl));
  app.getHttpAdapter().getInstance().get('/openapi.json', serveDocument(document));
  // The module serves only its page and script: it would serialise the raw document at each request.
  SwaggerModule.setup('docs', app, document, { raw: false, customSiteTitle: 'Outreach Email Platform API' });
}

/** The API answers JSON and loads nothing; only the documentation page runs scripts, and only its own. */
function createSecurityHeaders() {
  const api = computeHeaders({
    contentSecurityPolicy: { useDefaults: false, directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] } },
    crossOriginResourcePolicy: { policy: 'same-origin' },
  });
  const docs = computeHeaders({
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

/**
 * With these options helmet sets equal headers on every request: computed once, instead of a dozen calls per request.
 */
function computeHeaders(options: HelmetOptions): Map<string, string> {
  const headers = new Map([['Cache-Control', 'no-store']]);
  // The part of a response that helmet uses.
  const response = {
    setHeader: (name: string, value: unknown) => headers.set(name, String(value)),
    removeHeader: (name: string) => headers.delete(name),
  };
  helmet(options)({} as never, response as never, (error?: unknown) => {
    if (error !== undefined) throw error;
  });
  return headers;
}

function getCorsOptions(origins: readonly string[]) {
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
