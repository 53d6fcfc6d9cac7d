import { Module } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_INTERCEPTOR, APP_PIPE } from '@nestjs/core';
import { ApiKeysModule } from '@domain/identity';
import { IdempotencyModule } from '@platform/idempotency';
import { AccessGuard } from './access.guard';
import { BodyGuard } from './body.guard';
import { EnvelopeInterceptor } from './envelope.interceptor';
import { ErrorFilter } from './error.filter';
import { IdempotencyInterceptor } from './idempotency.interceptor';
import { RateLimitService } from './rate-limit.service';
import { RequestMiddleware } from './request.middleware';
import { RouteGuard } from './route.guard';
import { RouteTableService } from './route-table.service';
import { requestValidation } from './request-validation';

/** The request pipeline, in order: id and log, route, access, body, idempotency, envelope, validation. */
@Module({
  imports: [ApiKeysModule, IdempotencyModule],
  providers: [
    RateLimitService,
    RouteTableService,
    RequestMiddleware,
    { provide: APP_GUARD, useClass: RouteGuard },
    { provide: APP_GUARD, useClass: AccessGuard },
    { provide: APP_GUARD, useClass: BodyGuard },
    { provide: APP_INTERCEPTOR, useClass: IdempotencyInterceptor },
    { provide: APP_INTERCEPTOR, useClass: EnvelopeInterceptor },
    { provide: APP_PIPE, useFactory: requestValidation },
    { provide: APP_FILTER, useClass: ErrorFilter },
  ],
})
export class HttpModule {}
