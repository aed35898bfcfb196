import { graphql } from '../../graphql/graphql.ts';

export const SignIn = graphql(`
  mutation SignIn($input: SignInInput!) {
    signIn(input: $input) { landing { kind centerDomain } }
  }
`);
