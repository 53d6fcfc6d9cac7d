/**
 * The built API with one more route that returns a constant behind the same guard. One process serves both, so that the
 * record and the constant use the same Nest, the same middleware and the same heap.
 */
import 'reflect-metadata';
import { Controller, Get, Module, type Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { loadBuilt } from './built.mts';

interface BuiltApi {
  ApiModule: Type;
  setUpApi: (app: NestExpressApplication) => void;
  Access: (permission: 'read', options: { workspace: 'path' }) => MethodDecorator;
}

const { ApiModule, setUpApi, Access } = loadBuilt<BuiltApi>('ApiModule', 'setUpApi', 'Access');

class ConstantController {
  answer(): { constant: true } {
    return { constant: true };
  }
}

class BenchModule {}

// Node strips types but does not support decorators: they are called directly.
const routes = [Get('constant/:workspaceId'), Access('read', { workspace: 'path' })];
Reflect.decorate(routes, ConstantController.prototype, 'answer', getDescriptor(ConstantController.prototype, 'answer'));
Reflect.decorate([Controller('bench')], ConstantController);
Reflect.decorate([Module({ imports: [ApiModule], controllers: [ConstantController] })], BenchModule);

function getDescriptor(target: object, name: string): PropertyDescriptor {
  return Object.getOwnPropertyDescriptor(target, name) ?? {};
}

const app = await NestFactory.create<NestExpressApplication>(BenchModule, { bodyParser: false, bufferLogs: true });
setUpApi(app);
await app.init();
await app.listen(Number(process.env['API_PORT']), '127.0.0.1');
process.once('SIGTERM', () => void app.close().finally(() => process.exit(0)));
