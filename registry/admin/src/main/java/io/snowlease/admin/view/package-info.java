/** How slots, ids and times look to people and programs; the command line and HTTP share them. */
package io.snowlease.admin.view;
