import { type INestApplication } from '@nestjs/common';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { ErrorBody, HttpErrorBody } from './error.schemas';

const ABOUT = `HTTP JSON API for running cold-email outreach in a workspace. Every request carries \`X-Api-Key\`.
Successful answers are \`{success: true, data}\`; lists add \`pagination\`. Errors carry a stable code.
Any POST may carry an \`Idempotency-Key\`: its first answer is kept for 24 hours and replayed.`;

/** The OpenAPI 3.1 document, made from the classes that validate and answer. */
export function openApiDocument(app: INestApplication, publicUrl: string): OpenAPIObject {
  const base = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle('Outreach Email Platform API')
    .setDescription(ABOUT)
    .setVersion('1')
    .addServer(publicUrl)
    .addApiKey({ type: 'apiKey', in: 'header', name: 'X-Api-Key' }, 'apiKey')
    .addBearerAuth({ type: 'http', scheme: 'bearer', description: 'The same key as in X-Api-Key.' }, 'bearer')
    .build();
  return SwaggerModule.createDocument(app, base, {
    extraModels: [ErrorBody, HttpErrorBody],
    operationIdFactory: (controller, method) => `${controller.replace(/Controller$/, '')}.${method}`,
    autoTagControllers: true,
  });
}
