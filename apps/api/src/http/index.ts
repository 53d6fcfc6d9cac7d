export { Access, OperatorOnly, Public } from './access.decorator';
export { FormA } from './form-a.decorator';
export { HttpModule } from './http.module';
export { closeGently } from './gentle.close';
export { jsonBody } from './json.body';
export { openApiDocument } from './openapi';
export { RequestMiddleware } from './request.middleware';
export { Returns } from './returns.decorator';
export { Caller, Scope } from './request.decorators';
