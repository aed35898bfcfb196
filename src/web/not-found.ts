import type { Context, Middleware } from 'koa';
import { html } from './html.ts';
import { logo } from './logo.ts';
import { stylesheet } from './verify/assets.ts';

/** Addresses of programs and files, which get the error of the API also in a browser. */
const FOR_PROGRAMS = /^\/(?:api|v1|graphql|mcp|log|brand|console|vectors|\.well-known)(?:\/|$)|\.\w+$/;

const wantsPage = ({ method, path, request }: Context) =>
  (method === 'GET' || method === 'HEAD') &&
  !FOR_PROGRAMS.test(path) &&
  /text\/html/i.test(request.get('Accept'));

/** A page for people at addresses where there is nothing. */
export const notFoundPage: Middleware = async (koa, next) => {
  await next();
  if (koa.status !== 404 || koa.body !== undefined || !wantsPage(koa)) return;
  koa.vary('Accept');
  koa.set(
    'Content-Security-Policy',
    "default-src 'none'; style-src 'self'; img-src 'self'; frame-ancestors 'none'",
  );
  koa.type = 'html';
  koa.body = html`<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <meta name="color-scheme" content="light dark">
  <title>Page not found · Countersign</title>
  <link rel="icon" href="/verify/assets/icon.svg" type="image/svg+xml">
  <link rel="stylesheet" href="${stylesheet}">
</head>
<body>
  <header class="top"><div class="wrap"><span class="brand">${logo}Countersign</span></div></header>
  <main class="wrap">
    <h1>Page not found</h1>
    <p class="lead">The address may be mistyped, or the page was moved.</p>
    <p><a href="/">Go to the start page</a> · <a href="/docs">Read the guides</a></p>
  </main>
</body>
</html>
`.text;
  koa.status = 404;
};
