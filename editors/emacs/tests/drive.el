;;; drive.el --- Tries behavior.el without a screen -*- lexical-binding: t; -*-

;; Opens the file that `BEHAVIOR_FILE' names in this editor, waits for what is told of it, asks for completion behind and
;; for an explanation of what stands at `BEHAVIOR_LINE' and `BEHAVIOR_COLUMN', from 0, and prints all of it as one line of
;; JSON. `cli/tests/editors.rs' runs it.

(require 'json)
(require 'package)
;; Where Debian puts packages, which `-Q' leaves out.
(add-to-list 'package-directory-list "/usr/share/emacs/site-lisp/elpa")
(package-initialize)
(require 'yaml-mode)
(require 'behavior)
(require 'flymake)

(defun drive-until (done)
  "Wait until DONE says so."
  (with-timeout (60 (error "waited in vain"))
    (while (not (funcall done))
      (accept-process-output nil 0.1))))

(setq behavior-program (getenv "BEHAVIOR_PROGRAM")
      eglot-sync-connect 60
      eglot-connect-timeout 60
      eglot-autoshutdown nil)
(behavior-setup)

(let ((told
       (condition-case problem
           (progn
             (find-file (getenv "BEHAVIOR_FILE"))
             ;; What a command loop does for `eglot-ensure', which there is none of here.
             (unless (memq #'behavior-maybe-start yaml-mode-hook) (error "the hook is not there"))
             (apply #'eglot (eglot--guess-contact))
             (drive-until (lambda () (flymake-start) (flymake-diagnostics)))
             (let* ((server (eglot-current-server))
                    (position (list :line (string-to-number (getenv "BEHAVIOR_LINE"))
                                    :character (string-to-number (getenv "BEHAVIOR_COLUMN"))))
                    (params (list :textDocument (eglot--TextDocumentIdentifier) :position position))
                    (ask (lambda (method) (jsonrpc-request server method params)))
                    (completion (funcall ask :textDocument/completion))
                    (hover (funcall ask :textDocument/hover)))
               (prog1
                   `((diagnostics
                      . ,(vconcat
                          (mapcar (lambda (one)
                                    `((line . ,(1- (line-number-at-pos (flymake-diagnostic-beg one))))
                                      (message . ,(flymake-diagnostic-text one))))
                                  (flymake-diagnostics))))
                     (completion . ,(vconcat (mapcar (lambda (item) (plist-get item :label))
                                                     (if (vectorp completion) completion
                                                       (plist-get completion :items)))))
                     (hover . ,(plist-get (plist-get hover :contents) :value)))
                 (eglot-shutdown server))))
         (error `((failed . ,(error-message-string problem)))))))
  (princ (concat "\n" (json-encode told) "\n")))
(kill-emacs 0)
