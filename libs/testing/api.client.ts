import { type Server } from 'node:http';
import supertest, { type Test } from 'supertest';

type Method = 'get' | 'head' | 'post' | 'put' | 'patch' | 'delete' | 'options';

/** Sends requests to a running API with a key: `api.as(key).post('/v1/workspaces').send({...})`. */
export class ApiClient {
  constructor(
    private readonly server: Server | string,
    private readonly headers: Readonly<Record<string, string>> = {},
  ) {}

  /** A client of an API in another process. */
  static at(url: string): ApiClient {
    return new ApiClient(url);
  }

  /** The same API with this key in X-Api-Key. */
  as(key: string): ApiClient {
    return this.with({ 'X-Api-Key': key });
  }

  /** The same API, acting in this workspace (platform keys). */
  in(workspaceId: string): ApiClient {
    return this.with({ 'X-Workspace-Id': workspaceId });
  }

  with(headers: Record<string, string>): ApiClient {
    return new ApiClient(this.server, { ...this.headers, ...headers });
  }

  get(path: string): Test {
    return this.#request('get', path);
  }

  head(path: string): Test {
    return this.#request('head', path);
  }

  post(path: string): Test {
    return this.#request('post', path);
  }

  put(path: string): Test {
    return this.#request('put', path);
  }

  patch(path: string): Test {
    return this.#request('patch', path);
  }

  delete(path: string): Test {
    return this.#request('delete', path);
  }

  options(path: string): Test {
    return this.#request('options', path);
  }

  #request(method: Method, path: string): Test {
    return supertest(this.server)[method](path).set(this.headers);
  }
}
