import {
  createInlineSigningKeyProvider,
  type ExtractTokenFunction,
  type JWTExtendContextFields,
  useJWT,
} from '@graphql-yoga/plugin-jwt';
import { createLogger, envelop, type YogaServerInstance } from 'graphql-yoga';
import { type TokenVerifier, tokenRules } from '../domain/identity/tokens.ts';

const givenToken: ExtractTokenFunction = ({ serverContext }) => serverContext as { token: string };

/**
 * Verifies access tokens with `@graphql-yoga/plugin-jwt`, for REST as well as GraphQL: signature, algorithm, issuer and
 * audience. The plugin reports an expired token like a forged one, so the caller checks the expiry.
 */
export function makeTokenVerifier(secret: string): TokenVerifier {
  const plugin = useJWT({
    signingKeyProviders: [createInlineSigningKeyProvider(secret)],
    tokenLookupLocations: [givenToken],
    tokenVerification: { ...tokenRules, ignoreExpiration: true },
    reject: { missingToken: false, invalidToken: false },
  });
  // The only part of a Yoga server that the plugin uses without a request.
  plugin.onYogaInit?.({ yoga: { logger: createLogger('silent') } as YogaServerInstance<object, object> });
  const open = envelop({ plugins: [plugin] });
  return async (token) => {
    const context = (await open({ token }).contextFactory()) as { jwt?: JWTExtendContextFields };
    return context.jwt?.payload ?? null;
  };
}
