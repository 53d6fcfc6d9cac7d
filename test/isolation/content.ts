import { getConnectionToken, getModelToken } from '@nestjs/mongoose';
import { type Connection, type Model } from 'mongoose';
import { readContent, type Platform } from '../harness';

export function getModel({ app }: Platform, name: string): Model<object> {
  return app.get<Model<object>>(getModelToken(name), { strict: false });
}

/** Every document of the installation. */
export function dump(platform: Platform): Promise<Record<string, unknown[]>> {
  return readContent(platform.app.get<Connection>(getConnectionToken()).db!);
}

/** The secrets whose random part occurs in the text. */
export function leaked(text: string, secrets: readonly string[]): string[] {
  return secrets.filter((secret) => text.includes(secret.replace(/^(sk_user_|sk_|inv_|whsec_)/, '')));
}
